/**
 * A static check of any driver's ResourceSlices and DeviceClasses, and of what users create: {@code Checker} applies all {@code CheckRules} to what was read and returns
 * a {@code CheckReport}. Classes whose name ends in {@code Refusals} say which of its rules the errors of the API server are of, which {@link
 * dev.fakegpu.cluster.validation} finds for all commands. Those whose name ends in {@code Checks} declare other rules and find what breaks them;
 * {@code LintChecks} takes over the lints of {@link dev.fakegpu.engine.matrix}. {@code CheckReportText}, {@code CheckReportJson}, {@code SarifLog} and {@code JUnitXml} print a report.
 *
 * <p>Rules about attributes look at the JSON of the spec, because the types of {@link dev.fakegpu.dra} cannot hold everything that is written;
 * rules about what devices do to each other look at the slices.
 */
@NullMarked
package dev.fakegpu.cluster.check;

import org.jspecify.annotations.NullMarked;
