"""The child process with limits that other people's code runs in."""
