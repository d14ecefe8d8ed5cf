"""Settings, their readers, rule selectors, target versions."""
