/* 0 red, 1 red and amber, 2 green, 3 amber; a waiting walker cuts green short. */
int traffic_light_after(int state, int seconds, bool walker)
{
    int elapsed = 0;
    int hold = 0;

    if (state < 0 || state > 3)
        state = 0;
    if (seconds > 600)
        seconds = 600;

    while (elapsed < seconds) {
        switch (state) {
        case 0: hold = 30; break;
        case 1: hold = 2; break;
        case 2: hold = walker ? 10 : 40; break;
        default: hold = 4; break;
        }
        if (elapsed + hold > seconds)
            break;
        elapsed += hold;
        state = state == 3 ? 0 : state + 1;
        if (state == 0)
            walker = false;
    }
    return state;
}
