static int[] scoreHistogram(int[] scores, int buckets) {
    int size = Math.max(1, Math.min(buckets, 20));
    int[] counts = new int[size];
    for (int score : scores) {
        int percent = score;
        if (percent < 0) {
            percent = 0;
        }
        if (percent > 100) {
            percent = 100;
        }
        int bucket = percent * size / 100;
        if (bucket >= size) {
            bucket = size - 1;
        }
        counts[bucket]++;
    }
    return counts;
}
