package dev.fakegpu.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a Kubernetes cluster with fake GPUs, in which the operator runs. Fields and parameters of the types {@code
 * KubernetesClient} and {@link GpuCluster} are set. Each class has a namespace and FakeGpus of its own; classes that run one after the
 * other share the cluster, those that run at the same time do not.
 *
 * <pre>{@code
 * @FakeGpuCluster(model = "H100-SXM5-80GB", nodes = 2, mig = "1g.10gb")
 * class TrainerTest {
 *     @Test
 *     void trains(KubernetesClient client) {
 *         Pod pod = client.resource(trainer()).create();
 *         assertThat(pod).isRunning();
 *     }
 * }
 * }</pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(FakeGpuExtension.class)
public @interface FakeGpuCluster {

    /** For {@link #mig()}, {@link #vgpu()} and {@link #migBackedVgpu()}: everything that the model has. */
    String ALL = "All";

    /** Name of a model in the catalog: {@code spec.model} of the FakeGpu {@code gpus}. */
    String model() default "A100-SXM4-40GB";

    /** How many nodes there are, 1 to 5000: {@code gpus-node-0}, {@code gpus-node-1} and so on. No container runs on them. */
    int nodes() default 1;

    /** GPUs on each node, 1 to 64. */
    int count() default 1;

    /** Whether the whole GPU is a device. */
    boolean whole() default true;

    /** MIG profiles of which there are devices, such as {@code 1g.10gb}, or {@link #ALL}. */
    String[] mig() default {};

    /** Types of time-sliced vGPUs, such as {@code 10C}, or {@link #ALL}. */
    String[] vgpu() default {};

    /** Types of MIG-backed vGPUs, such as {@code 1-10C}, or {@link #ALL}. */
    String[] migBackedVgpu() default {};

    /** Whether the GPU is also a device for passthrough. */
    boolean vfio() default false;

    /** Who allocates the devices. */
    Allocator allocator() default Allocator.COMPANION;

    /**
     * FakeGpus and other objects as YAML, instead of all of the above but {@link #allocator()}: {@code classpath:} and the name of a resource, or {@code file:} and
     * a path. Objects of namespaced kinds without a namespace are created in that of the test class.
     */
    String manifests() default "";

    /** Version of Kubernetes, such as {@code v1.36.3}; by default the one that this version of the operator is built for. */
    String kubernetes() default "";

    /** Feature gates of Kubernetes, such as {@code A=true}, instead of {@code DRADeviceCompatibilityGroups=true}. */
    String[] featureGates() default {};

    /** Settings of the operator, such as {@code FAKEGPU_COMPANION_GATE=Off}: its environment variables. */
    String[] operator() default {};

    /** Who allocates the devices of the FakeGpu. */
    enum Allocator {
        /** The operator itself, for pods with {@code schedulerName: fakegpu-scheduler}. */
        COMPANION("Companion"),
        /** kube-scheduler, for pods without a scheduler's name. */
        KUBE_SCHEDULER("KubeScheduler");

        private final String name;

        Allocator(String name) {
            this.name = name;
        }

        /** As {@code spec.allocator} has it. */
        public String specName() {
            return name;
        }
    }
}
