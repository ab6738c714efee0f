/** Round-robin with a fixed slice: the moment at which each job is done. */
static int[] finishTimes(int[] jobs, int slice) {
    int quantum = Math.max(1, Math.min(slice, 50));
    int[] left = new int[jobs.length];
    int[] finished = new int[jobs.length];
    int open = 0;
    for (int i = 0; i < jobs.length; i++) {
        left[i] = Math.max(0, Math.min(jobs[i], 100));
        if (left[i] > 0) {
            open++;
        }
    }
    int clock = 0;
    while (open > 0) {
        for (int i = 0; i < jobs.length; i++) {
            if (left[i] == 0) {
                continue;
            }
            int used = Math.min(quantum, left[i]);
            clock += used;
            left[i] -= used;
            if (left[i] <= 0) {
                finished[i] = clock;
                open--;
            }
        }
    }
    return finished;
}
