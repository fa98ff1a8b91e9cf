/**
 * Finds what an API server of Kubernetes 1.34 to 1.37 refuses about an object whose fields it knows, with its paths, and with the messages of
 * 1.37. {@link dev.fakegpu.cluster.validation.ApiValidation} is the table of kinds, and {@code VersionedRule} that of rules that not all
 * versions have; each class names the functions of Kubernetes that it implements. It
 * covers the kinds of {@code resource.k8s.io}, the labels and annotations of all kinds, and those parts of nodes, quotas, pods and
 * workloads that concern resources, containers, their ports, and which pods belong to which workload.
 */
@NullMarked
package dev.fakegpu.cluster.validation;

import org.jspecify.annotations.NullMarked;
