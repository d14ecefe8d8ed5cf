import string


def split_lines(lines, parts):
    """Deal the lines out like cards."""
    return [lines[i::parts] for i in range(parts)]


def count_letters(lines):
    counts = [0] * 26
    for line in lines:
        for ch in line.lower():
            pos = string.ascii_lowercase.find(ch)
            if pos >= 0:
                counts[pos] += 1
    return counts
