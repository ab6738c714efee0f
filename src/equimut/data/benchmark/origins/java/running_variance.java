static double runningVariance(double[] readings) {
    if (readings == null || readings.length < 2) {
        return 0.0;
    }
    double mean = readings[0];
    double squares = 0.0;
    int seen = 1;
    for (int i = 1; i < readings.length; i++) {
        double reading = readings[i];
        if (Double.isNaN(reading)) {
            continue;
        }
        seen++;
        double before = reading - mean;
        mean += before / seen;
        squares += before * (reading - mean);
    }
    double variance = squares / Math.max(1, seen - 1);
    return variance < 0 ? 0.0 : variance;
}
