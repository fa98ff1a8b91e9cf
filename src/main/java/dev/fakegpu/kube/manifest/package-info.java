/**
 * Objects as people write them in files. {@link dev.fakegpu.kube.manifest.KnownKind} lists the kinds that can be read, and recognizes
 * misspelled kinds and API versions. {@link dev.fakegpu.kube.manifest.ManifestFields} finds unknown fields and values of the wrong shape,
 * as the API server does with strict validation.
 */
@NullMarked
package dev.fakegpu.kube.manifest;

import org.jspecify.annotations.NullMarked;
