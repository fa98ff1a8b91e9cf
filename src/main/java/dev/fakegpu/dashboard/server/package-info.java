/**
 * Serves the dashboard: a {@link dev.fakegpu.dashboard.server.LiveCluster} has the objects of a cluster and reports changes, {@link
 * dev.fakegpu.dashboard.server.DashboardFeed} creates pictures of them, and {@link dev.fakegpu.dashboard.server.DashboardServer} sends the
 * page, one picture and then changes to browsers. Nothing here writes to the cluster.
 */
@NullMarked
package dev.fakegpu.dashboard.server;

import org.jspecify.annotations.NullMarked;
