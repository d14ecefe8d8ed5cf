def summarise(store, cfg):
    for number in range(cfg.members):
        x = store.get(number)
        yield (f"member {number:3d}  r={cfg.growth(number):.4f}  "
               f"mean={x.mean():.8f}  std={x.std():.8f}")
