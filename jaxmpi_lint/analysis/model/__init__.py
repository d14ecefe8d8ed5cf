"""The program: project, modules, classes, functions, call graph, events, summaries."""
