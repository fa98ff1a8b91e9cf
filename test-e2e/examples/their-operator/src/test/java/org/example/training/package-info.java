/** Tests with a Kubernetes cluster that has fake GPUs. */
package org.example.training;
