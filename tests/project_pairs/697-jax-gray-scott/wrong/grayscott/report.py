def describe(step, state):
    u, v = state
    covered = float((v > 0.1).mean())
    return (f"step {step:5d}  mean u {u.mean():.6f}  mean v {v.mean():.6f}  "
            f"covered {covered:.4f}  shape {u.shape}")
