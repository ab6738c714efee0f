static int partitionByThreshold(double[] samples, double limit) {
    int head = 0;
    int tail = samples.length - 1;
    while (head <= tail) {
        if (samples[head] < limit) {
            head++;
        } else if (samples[tail] >= limit) {
            tail--;
        } else {
            double swapped = samples[head];
            samples[head] = samples[tail];
            samples[tail] = swapped;
            head++;
            tail--;
        }
    }
    return head;
}
