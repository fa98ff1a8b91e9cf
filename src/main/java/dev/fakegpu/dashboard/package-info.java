/**
 * What the dashboard shows, as values: {@link dev.fakegpu.dashboard.Dashboard} is the whole picture and the JSON that browsers get, {@link
 * dev.fakegpu.dashboard.GpuViews} makes the picture of one piece of hardware, for which {@code StripLayout} says what is where on it and
 * {@code Exclusions} what cannot be allocated beside it, and {@link dev.fakegpu.dashboard.DashboardChange} is the difference between two
 * pictures. Pure: {@code dashboard.server} reads the cluster and serves the page.
 */
@NullMarked
package dev.fakegpu.dashboard;

import org.jspecify.annotations.NullMarked;
