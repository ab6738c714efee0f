/** Colour after some ticks: 0 red, 1 green, 2 amber; a request shortens red. */
static int trafficLight(int ticks, boolean[] requests) {
    int colour = 0;
    int left = 5;
    int rounds = Math.min(ticks, 500);
    for (int t = 0; t < rounds; t++) {
        boolean waiting = requests != null && t < requests.length && requests[t];
        if (waiting && colour == 0 && left > 2) {
            left = 2;
        }
        left--;
        if (left > 0) {
            continue;
        }
        switch (colour) {
            case 0:
                colour = 1;
                left = 4;
                break;
            case 1:
                colour = 2;
                left = 1;
                break;
            default:
                colour = 0;
                left = 5;
        }
    }
    return colour;
}
