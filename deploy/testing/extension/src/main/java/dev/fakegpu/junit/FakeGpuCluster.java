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
 * KubernetesClient} and {@link GpuCluster} are injected. Each class has its own namespace and FakeGpus. Classes that run one after the
 * other share a cluster, and classes that run at the same time do not.
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

    /** A value for {@link #mig()}, {@link #vgpu()} and {@link #migBackedVgpu()}: everything that the model has. */
    String ALL = "All";

    /** The name of a model in the catalog: {@code spec.model} of the FakeGpu {@code gpus}. */
    String model() default "A100-SXM4-40GB";

    /** The number of nodes, 1 to 5000, which are named {@code gpus-node-0}, {@code gpus-node-1} and so on. They run no containers. */
    int nodes() default 1;

    /** The number of GPUs on each node, 1 to 64. */
    int count() default 1;

    /** Whether whole GPUs are devices. */
    boolean whole() default true;

    /** The MIG profiles that are devices, such as {@code 1g.10gb}, or {@link #ALL}. */
    String[] mig() default {};

    /** The types of time-sliced vGPUs, such as {@code 10C}, or {@link #ALL}. */
    String[] vgpu() default {};

    /** The types of MIG-backed vGPUs, such as {@code 1-10C}, or {@link #ALL}. */
    String[] migBackedVgpu() default {};

    /** Whether GPUs are also devices for passthrough. */
    boolean vfio() default false;

    /** The scheduler that allocates the devices. */
    Allocator allocator() default Allocator.COMPANION;

    /**
     * FakeGpus and other objects as YAML, which replace all attributes above except {@link #allocator()}: {@code classpath:} and the name
     * of a resource, or {@code file:} and a path. Namespaced objects without a namespace are created in that of the test class.
     */
    String manifests() default "";

    /** The version of Kubernetes, such as {@code v1.36.3}; the default is the one that this version of the operator is built for. */
    String kubernetes() default "";

    /** The feature gates of Kubernetes, such as {@code A=true}, which replace {@code DRADeviceCompatibilityGroups=true}. */
    String[] featureGates() default {};

    /** The operator's settings as environment variables, such as {@code FAKEGPU_COMPANION_GATE=Off}. */
    String[] operator() default {};

    /** The scheduler that allocates the devices of the FakeGpu. */
    enum Allocator {
        /** The operator itself, for pods with {@code schedulerName: fakegpu-scheduler}. */
        COMPANION("Companion"),
        /** kube-scheduler, for pods without a {@code schedulerName}. */
        KUBE_SCHEDULER("KubeScheduler");

        private final String name;

        Allocator(String name) {
            this.name = name;
        }

        /** The value of {@code spec.allocator}. */
        public String specName() {
            return name;
        }
    }
}
