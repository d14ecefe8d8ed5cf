"""Domain knowledge of arrays that several checks share: dtypes, buffers, aliasing."""
