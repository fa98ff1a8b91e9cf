package dev.fakegpu.dashboard.server;

/**
 * A caller who gets a picture.
 *
 * @param user whose share of streams and pictures the caller uses; the same for all where callers are not told apart
 */
record Admitted(String user, DashboardFeed feed) {}
