/** Counting sort of the last decimal digit; equal digits keep their order. */
static int[] countDigitsSort(int[] numbers) {
    int[] starts = new int[11];
    for (int number : numbers) {
        int digit = Math.abs(number % 10);
        starts[digit + 1]++;
    }
    for (int d = 1; d < starts.length; d++) {
        starts[d] += starts[d - 1];
    }
    int[] sorted = new int[numbers.length];
    for (int k = 0; k < numbers.length; k++) {
        int digit = Math.abs(numbers[k] % 10);
        sorted[starts[digit]] = numbers[k];
        starts[digit]++;
    }
    return sorted;
}
