/**
 * Objects as people write them in files. {@link dev.fakegpu.kube.manifest.KnownKind} lists the kinds that are read, and finds the one that a
 * misspelled kind or apiVersion means; {@link dev.fakegpu.kube.manifest.ManifestFields} finds the fields that a kind does not have, and those of
 * another shape, as the API server does with strict validation.
 */
@NullMarked
package dev.fakegpu.kube.manifest;

import org.jspecify.annotations.NullMarked;
