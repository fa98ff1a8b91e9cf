/**
 * A static check of the ResourceSlices and DeviceClasses of any driver, and of objects that users create: {@code Checker} applies all
 * {@code CheckRules} to the input and returns a {@code CheckReport}. Classes whose names end in {@code Refusals} assign the errors of the
 * API server, which {@link dev.fakegpu.cluster.validation} finds for all commands, to rules. Classes whose names end in {@code Checks}
 * declare other rules and find violations of them; {@code LintChecks} adopts the lints of {@link dev.fakegpu.engine.matrix}. {@code
 * CheckReportText}, {@code CheckReportJson}, {@code SarifLog} and {@code JUnitXml} print a report.
 *
 * <p>Rules about attributes use the JSON of the spec, because the types of {@link dev.fakegpu.dra} cannot hold everything that may be
 * written; rules about how devices affect each other use the slices.
 */
@NullMarked
package dev.fakegpu.cluster.check;

import org.jspecify.annotations.NullMarked;
