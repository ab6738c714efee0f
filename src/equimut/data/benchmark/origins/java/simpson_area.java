/** Area under equally spaced samples; a trapezoid closes an odd number of gaps. */
static double simpsonArea(double[] samples, double step) {
    int gaps = samples.length - 1;
    if (gaps < 1) {
        return 0;
    }
    double area = 0;
    int paired = gaps;
    if (gaps % 2 == 1) {
        paired--;
        area = (samples[gaps - 1] + samples[gaps]) * step / 2;
    }
    double weighted = 0;
    for (int i = 0; i < paired; i += 2) {
        weighted += samples[i] + 4 * samples[i + 1] + samples[i + 2];
    }
    area += weighted * step / 3;
    return area;
}
