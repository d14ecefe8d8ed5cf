from scipy.stats import fisher_exact


def fisher_scan(table, n_case, n_ctrl):
    """Rows (gene, cases, controls, odds, p), smallest p first."""
    rows = []
    for gene, (a, b) in table.items():
        odds, p = fisher_exact([[a, n_case - a], [b, n_ctrl - b]])
        rows.append((gene, a, b, float(odds), float(p)))
    rows.sort(key=lambda r: (r[4], r[0]))
    return rows
