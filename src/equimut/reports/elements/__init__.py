"""Elements JSON (mutation-testing-report-schema): Stryker, Infection, Mull and others."""
