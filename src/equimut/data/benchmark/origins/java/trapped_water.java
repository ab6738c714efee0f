static long trappedWater(int[] walls) {
    int left = 0;
    int right = walls.length - 1;
    int leftMax = 0;
    int rightMax = 0;
    long water = 0;
    while (left < right) {
        if (walls[left] <= walls[right]) {
            if (walls[left] >= leftMax) {
                leftMax = walls[left];
            } else {
                water += leftMax - walls[left];
            }
            left++;
        } else {
            if (walls[right] >= rightMax) {
                rightMax = walls[right];
            } else {
                water += rightMax - walls[right];
            }
            right--;
        }
    }
    return water;
}
