/**
 * The content of the dashboard, as values: {@link dev.fakegpu.dashboard.Dashboard} is the whole picture and the JSON for browsers, {@link
 * dev.fakegpu.dashboard.GpuViews} creates the view of one piece of hardware, with the positions of devices from {@code StripLayout} and
 * what cannot be allocated next to held devices from {@code Exclusions}, and {@link dev.fakegpu.dashboard.DashboardChange} is the
 * difference between two pictures.
 *
 * <ul>
 *   <li>In: a snapshot of a cluster, and what the viewer may see.
 *   <li>Out: pictures as values; {@code dashboard.server} reads the cluster and serves the page.
 *   <li>It must never write to a cluster; outside of {@code dashboard.server} it must not use HTTP or a client.
 * </ul>
 */
@NullMarked
package dev.fakegpu.dashboard;

import org.jspecify.annotations.NullMarked;
