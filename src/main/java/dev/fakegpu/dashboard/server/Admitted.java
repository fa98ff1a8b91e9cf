package dev.fakegpu.dashboard.server;

/**
 * A caller that gets pictures.
 *
 * @param user the user whose share of streams and pictures the caller uses; the same for all callers if they are not distinguished
 */
record Admitted(String user, DashboardFeed feed) {}
