/**
 * The values that expressions operate on. CEL's own types map to Java's and Guava's: {@code Long}, {@code UnsignedLong}, {@code
 * Double}, {@code String}, {@code Boolean}, {@code List}, {@code Map}, {@code Optional}, {@code Duration}, {@code Instant}, and
 * cel-java's {@code CelByteString} and {@code NullValue}. Kubernetes' types are here, each with its CEL {@code TYPE}: {@link
 * dev.fakegpu.engine.cel.value.IpAddress}, {@link dev.fakegpu.engine.cel.value.Cidr}, {@link dev.fakegpu.engine.cel.value.Url}, {@link
 * dev.fakegpu.engine.cel.value.SemanticVersion} and {@link dev.fakegpu.engine.cel.value.NamedFormat}; a quantity is a {@link
 * dev.fakegpu.dra.Quantity}. Errors are values, too: {@link dev.fakegpu.engine.cel.value.Failure}.
 *
 * <p>CEL's relations between values are also here: {@link dev.fakegpu.engine.cel.value.Equality},
 * {@link dev.fakegpu.engine.cel.value.Ordering}, and {@link dev.fakegpu.engine.cel.value.Lookup} of a key in a map or list.
 */
@NullMarked
package dev.fakegpu.engine.cel.value;

import org.jspecify.annotations.NullMarked;
