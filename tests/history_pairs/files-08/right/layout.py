import os


def rank_folder(base: str, kind: str, rank: int) -> str:
    """base/kind/rank_000 and so on; made if it is not there."""
    parent = os.path.join(base, kind)
    if not os.path.exists(parent):
        os.makedirs(parent, exist_ok=True)
    folder = os.path.join(parent, f"rank_{rank:03d}")
    os.makedirs(folder, exist_ok=True)
    return folder
