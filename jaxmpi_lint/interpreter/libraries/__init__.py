"""What the interpreter knows of each library: functions, constants, and methods of its objects."""
