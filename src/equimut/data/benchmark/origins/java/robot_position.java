static int[] robotPosition(String program, int size) {
    int edge = Math.max(1, Math.min(size, 100)) - 1;
    int x = 0;
    int y = 0;
    int facing = 0;
    for (int i = 0; i < program.length(); i++) {
        char step = program.charAt(i);
        if (step == 'L' || step == 'l') {
            facing = (facing + 3) % 4;
        } else if (step == 'R' || step == 'r') {
            facing = (facing + 1) % 4;
        } else {
            int dx = facing == 1 ? 1 : facing == 3 ? -1 : 0;
            int dy = facing == 0 ? 1 : facing == 2 ? -1 : 0;
            x = Math.max(0, Math.min(edge, x + dx));
            y = Math.max(0, Math.min(edge, y + dy));
        }
    }
    return new int[] {x, y, facing};
}
