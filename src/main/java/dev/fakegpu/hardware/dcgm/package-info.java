/**
 * The metrics that NVIDIA's dcgm-exporter would have for the fake GPUs. Pure: values in, text out.
 * {@link dev.fakegpu.hardware.dcgm.DcgmGpus} finds the GPUs from slices and holders, {@link dev.fakegpu.hardware.dcgm.LoadCurve} computes
 * how busy they are at an instant, {@link dev.fakegpu.hardware.dcgm.DcgmField} derives the values, and
 * {@link dev.fakegpu.hardware.dcgm.DcgmText} writes them. {@link dev.fakegpu.hardware.dcgm.NvmlReadings} has the same values of one device
 * for its container.
 *
 * <p>Names and labels are those of <a href="https://github.com/NVIDIA/dcgm-exporter">dcgm-exporter</a> 4.5.3-4.8.2 (commit 691c927):
 * fields, types and help from {@code etc/default-counters.csv}, labels and their order from {@code
 * internal/pkg/rendermetrics/render_metrics.go}, {@code internal/pkg/collector/gpu_collector.go} ({@code toMetric}) and {@code
 * internal/pkg/transformation/const.go}. Its next version calls the label {@code Hostname} {@code hostname} (commit d5e5f51).
 */
@NullMarked
package dev.fakegpu.hardware.dcgm;

import org.jspecify.annotations.NullMarked;
