/**
 * What an API server of Kubernetes 1.37 refuses about an object whose fields it knows, with its paths and words. {@link
 * dev.fakegpu.cluster.validation.ApiValidation} is the one table of kinds; each class names the functions of Kubernetes that it repeats. It
 * covers the kinds of {@code resource.k8s.io}, labels and annotations of all, and of nodes, quotas, pods and workloads the parts that have to
 * do with resources, with containers, and with which pods are whose.
 */
@NullMarked
package dev.fakegpu.cluster.validation;

import org.jspecify.annotations.NullMarked;
