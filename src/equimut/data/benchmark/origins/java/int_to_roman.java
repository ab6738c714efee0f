static String intToRoman(int number) {
    int[] weights = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    String[] marks = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
    if (number == 0) {
        return "N";
    }
    int rest = Math.abs(number % 4000);
    String text = number < 0 ? "-" : "";
    int k = 0;
    while (k < weights.length && rest > 0) {
        if (rest >= weights[k]) {
            text += marks[k];
            rest -= weights[k];
        } else {
            k++;
        }
    }
    return text;
}
