/**
 * What the dashboard shows, as values: {@link dev.fakegpu.dashboard.Dashboard} is the whole picture and the JSON that browsers get, {@link
 * dev.fakegpu.dashboard.GpuViews} makes the picture of one piece of hardware, for which {@code StripLayout} determines what is where on it
 * and {@code Exclusions} what cannot be allocated next to it, and {@link dev.fakegpu.dashboard.DashboardChange} is the difference between
 * two pictures.
 *
 * <ul>
 *   <li>In: a snapshot of a cluster and the rights of whoever looks at it.
 *   <li>Out: pictures as values; {@code dashboard.server} reads the cluster and serves the page.
 *   <li>It must never write to a cluster; outside of {@code dashboard.server} it must never know HTTP or a client.
 * </ul>
 */
@NullMarked
package dev.fakegpu.dashboard;

import org.jspecify.annotations.NullMarked;
