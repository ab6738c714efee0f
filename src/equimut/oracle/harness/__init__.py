"""What runs inside the sandbox: it knows nothing of equimut and imports nothing from it."""
