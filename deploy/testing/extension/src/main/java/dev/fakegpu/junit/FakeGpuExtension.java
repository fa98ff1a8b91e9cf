package dev.fakegpu.junit;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Implements {@link FakeGpuCluster}, which registers it. Nested classes use the cluster of the enclosing class, unless they have the
 * annotation themselves.
 */
public final class FakeGpuExtension
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                TestInstancePostProcessor,
                ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(FakeGpuExtension.class);

    /** Called by JUnit. */
    public FakeGpuExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) throws IllegalAccessException {
        Class<?> testClass = context.getRequiredTestClass();
        annotation(testClass)
                .ifPresent(wanted -> store(context).put(ClassCluster.class, ClassCluster.open(testClass, wanted)));
        GpuCluster cluster = cluster(context);
        GpuAssertions.use(cluster);
        inject(cluster, testClass, null);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        GpuAssertions.use(cluster(context)); // in the thread of the test, which may be a different one
    }

    @Override
    public void afterEach(ExtensionContext context) {
        GpuAssertions.useNone();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        GpuAssertions.useNone();
    }

    @Override
    public void postProcessTestInstance(Object instance, ExtensionContext context) throws IllegalAccessException {
        inject(cluster(context), instance.getClass(), instance);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return isKnown(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return value(parameter.getParameter().getType(), cluster(context));
    }

    /** Injects static fields, or the fields of an instance, unless they already have a value. */
    private static void inject(GpuCluster cluster, Class<?> testClass, @Nullable Object instance)
            throws IllegalAccessException {
        Predicate<Field> wanted =
                field -> isKnown(field.getType()) && Modifier.isStatic(field.getModifiers()) == (instance == null);
        for (Field field : ReflectionSupport.findFields(testClass, wanted, HierarchyTraversalMode.TOP_DOWN)) {
            field.setAccessible(true);
            if (field.get(instance) == null) {
                field.set(instance, value(field.getType(), cluster));
            }
        }
    }

    private static boolean isKnown(Class<?> type) {
        return type == KubernetesClient.class || type == GpuCluster.class;
    }

    private static Object value(Class<?> type, GpuCluster cluster) {
        return type == GpuCluster.class ? cluster : cluster.client();
    }

    private static GpuCluster cluster(ExtensionContext context) {
        ClassCluster cluster = store(context).get(ClassCluster.class, ClassCluster.class);
        if (cluster == null) {
            throw new IllegalStateException(
                    "the class has no cluster: use the annotation @FakeGpuCluster instead of @ExtendWith(FakeGpuExtension.class)");
        }
        return cluster.handle();
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    /** Ignores the annotation of an enclosing class, whose cluster is found in the store. */
    private static Optional<FakeGpuCluster> annotation(Class<?> testClass) {
        return AnnotationSupport.findAnnotation(testClass, FakeGpuCluster.class);
    }
}
