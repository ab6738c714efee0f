/** Rooms needed so that no two meetings share one at the same time. */
static int meetingRooms(int[] begins, int[] ends) {
    int meetings = Math.min(begins.length, ends.length);
    int[] opening = Arrays.copyOf(begins, meetings);
    int[] closing = Arrays.copyOf(ends, meetings);
    Arrays.sort(opening);
    Arrays.sort(closing);
    int busy = 0;
    int rooms = 0;
    int done = 0;
    for (int m = 0; m < meetings; m++) {
        busy++;
        while (done < meetings && closing[done] <= opening[m]) {
            done++;
            busy--;
        }
        rooms = Math.max(rooms, busy);
    }
    return rooms;
}
