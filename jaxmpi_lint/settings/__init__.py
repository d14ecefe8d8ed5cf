"""Settings, their readers, selectors, target versions."""
