static int[] windowMaximum(int[] signal, int width) {
    if (signal == null || signal.length == 0) {
        return new int[0];
    }
    int span = Math.max(1, Math.min(width, signal.length));
    int[] peaks = new int[signal.length - span + 1];
    int[] queue = new int[signal.length];
    int head = 0;
    int tail = 0;
    for (int i = 0; i < signal.length; i++) {
        while (tail > head && signal[queue[tail - 1]] <= signal[i]) {
            tail--;
        }
        queue[tail++] = i;
        if (queue[head] <= i - span) {
            head++;
        }
        if (i >= span - 1) {
            peaks[i - span + 1] = signal[queue[head]];
        }
    }
    return peaks;
}
