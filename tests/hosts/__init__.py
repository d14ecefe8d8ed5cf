"""Jobs on several hosts, which are made from namespaces."""
