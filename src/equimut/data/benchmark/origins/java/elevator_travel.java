static int elevatorTravel(int[] calls, int floors) {
    int top = Math.max(1, Math.min(floors, 60));
    int floor = 0;
    int travelled = 0;
    int direction = 0;
    int turns = 0;
    for (int call : calls) {
        int goal = Math.max(0, Math.min(call, top));
        if (goal == floor) {
            continue;
        }
        int heading = goal > floor ? 1 : -1;
        if (direction != 0 && heading != direction) {
            turns++;
        }
        direction = heading;
        while (floor != goal) {
            floor += direction;
            travelled++;
        }
    }
    return travelled + 2 * turns;
}
