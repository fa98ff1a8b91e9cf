/**
 * Serves the dashboard: a {@link dev.fakegpu.dashboard.server.LiveCluster} knows the objects of a cluster and when they change, {@link
 * dev.fakegpu.dashboard.server.DashboardFeed} makes pictures of them, and {@link dev.fakegpu.dashboard.server.DashboardServer} sends the
 * page, one picture and then changes to browsers. Nothing here writes to the cluster.
 */
@NullMarked
package dev.fakegpu.dashboard.server;

import org.jspecify.annotations.NullMarked;
