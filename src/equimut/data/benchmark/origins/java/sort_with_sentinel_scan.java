static void sortWithSentinelScan(int[] data) {
    if (data == null || data.length <= 1) {
        return;
    }
    int smallest = 0;
    for (int i = 1; i < data.length; i++) {
        if (data[i] < data[smallest]) {
            smallest = i;
        }
    }
    int first = data[0];
    data[0] = data[smallest];
    data[smallest] = first;
    // data[0] is now a stopper, so the inner loop needs no bound check
    for (int i = 2; i < data.length; i++) {
        int value = data[i];
        int slot = i;
        while (value < data[slot - 1]) {
            data[slot] = data[slot - 1];
            slot--;
        }
        data[slot] = value;
    }
}
