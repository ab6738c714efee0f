"""What runs inside the fence: it knows nothing of equimut and imports nothing from it."""
