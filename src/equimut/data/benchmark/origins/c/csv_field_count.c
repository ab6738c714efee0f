int csv_field_count(const char *line)
{
    int fields = 1;
    bool quoted = false;

    if (*line == '\0')
        return 0;
    for (; *line != '\0'; line++) {
        if (*line == '"') {
            if (quoted && line[1] == '"')
                line++;
            else
                quoted = !quoted;
        } else if (*line == ',' && !quoted) {
            fields++;
        } else if ((*line == '\n' || *line == '\r') && !quoted) {
            break;
        }
    }
    return quoted ? -1 : fields;
}
