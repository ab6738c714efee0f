long long trapped_water(const int *heights, int n)
{
    int left = 0;
    int right = n - 1;
    int left_wall = 0;
    int right_wall = 0;
    long long water = 0;

    while (left < right) {
        int low = heights[left] < heights[right] ? heights[left] : heights[right];

        if (low < 0)
            low = 0;
        if (heights[left] <= heights[right]) {
            if (low >= left_wall)
                left_wall = low;
            else
                water += left_wall - low;
            left++;
        } else {
            if (low >= right_wall)
                right_wall = low;
            else
                water += right_wall - low;
            right--;
        }
    }
    return water;
}
