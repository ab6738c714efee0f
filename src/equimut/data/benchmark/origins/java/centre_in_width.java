static String centreInWidth(String label, int width, char fill) {
    int target = Math.max(0, Math.min(width, 200));
    if (label == null) {
        label = "";
    }
    int missing = target - label.length();
    if (missing <= 0) {
        return label;
    }
    int before = missing / 2;
    int after = missing - before;
    StringBuilder line = new StringBuilder(target);
    for (int i = 0; i < before; i++) {
        line.append(fill);
    }
    line.append(label);
    for (int i = 0; i < after; i++) {
        line.append(fill);
    }
    return line.toString();
}
