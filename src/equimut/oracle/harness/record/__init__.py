"""Put on the path of the command that `equimut record` runs."""
