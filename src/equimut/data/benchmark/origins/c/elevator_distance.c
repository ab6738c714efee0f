/* Floors travelled when the requests are served in order; calls are clamped. */
long elevator_distance(const int *requests, int count, int top_floor)
{
    long travelled = 0;
    int floor = 0;

    if (top_floor <= 0)
        return 0;
    if (top_floor > 200)
        top_floor = 200;

    for (int i = 0; i < count; i++) {
        int target = requests[i];

        if (target < 0)
            target = 0;
        if (target > top_floor)
            target = top_floor;
        if (target == floor)
            continue;
        if (target > floor)
            travelled += target - floor;
        else
            travelled += floor - target;
        floor = target;
    }
    travelled += floor;
    floor = 0;
    return travelled;
}
